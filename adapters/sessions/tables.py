"""Tables of the session database.

A new table or column is three things: its definition here, a migration in `migrations/versions/` that makes it in a
database of the schema before, and the new number in `REVISION`. Tests compare the three.
"""

from typing import Final

import sqlalchemy as sa

REVISION: Final = "0005"
"""Newest schema, the name of the last migration. Numbers only grow, so that a greater one is known to be newer."""
VERSION_TABLE: Final = "kisoku_schema"
"""Where alembic keeps the schema's number. Not its default name: a shared server may hold the host's own."""

_TIME = sa.String(
    40
)  # ISO 8601 with the offset, as text: SQLite has no type for it, and texts of one form sort by time
_SESSION = sa.String(200)

metadata = sa.MetaData()
sessions = sa.Table(
    "sessions",
    metadata,
    sa.Column("session_id", _SESSION, primary_key=True),
    sa.Column("version", sa.String(20), nullable=False),
    sa.Column("created_at", _TIME, nullable=False),
    sa.Column("finished_at", _TIME),
)
conflicts = sa.Table(
    "conflicts",
    metadata,
    sa.Column("number", sa.Integer, primary_key=True, autoincrement=True),
    sa.Column("conflict_id", sa.String(80), nullable=False, unique=True),
    sa.Column("session_id", _SESSION, nullable=False, index=True),
    sa.Column("body", sa.Text, nullable=False),
)
decisions = sa.Table(
    "decisions",
    metadata,
    sa.Column("number", sa.Integer, primary_key=True, autoincrement=True),
    sa.Column("conflict_id", sa.String(80), nullable=False, unique=True),
    sa.Column("session_id", _SESSION, nullable=False, index=True),
    sa.Column("body", sa.Text, nullable=False),
)
invocations = sa.Table(
    "tool_invocations",
    metadata,
    sa.Column("number", sa.Integer, primary_key=True, autoincrement=True),
    sa.Column("trace_id", sa.String(64), nullable=False, unique=True),
    sa.Column("session_id", _SESSION, index=True),
    sa.Column("created_at", _TIME, nullable=False, index=True),
    sa.Column("version", sa.String(20), nullable=False),
    sa.Column("agent", sa.String(20), nullable=False),
    sa.Column("query", sa.Text, nullable=False),
    sa.Column("chunk_ids", sa.Text, nullable=False),
    sa.Column("refused", sa.Boolean, nullable=False),
    sa.Column("milliseconds", sa.Float, nullable=False),
    sa.Column("retrieval_details", sa.Text, nullable=False),
    sa.Column("gate", sa.String(40)),
    sa.Column("categories", sa.String(80)),
    sa.Column("cache_hit", sa.Boolean),
    sa.Column("embedding_tokens", sa.Integer),
    sa.Column("cost", sa.Float),
)

# The unique passage also serves the look-up by session, its first column.
given_evidence = sa.Table(
    "given_evidence",
    metadata,
    sa.Column("number", sa.Integer, primary_key=True, autoincrement=True),
    sa.Column("session_id", _SESSION, nullable=False),
    sa.Column("content_hash", sa.String(64), nullable=False),
    sa.Column("start_offset", sa.Integer, nullable=False),
    sa.Column("end_offset", sa.Integer, nullable=False),
    sa.Column("domain", sa.String(200), nullable=False),
    sa.Column("trace_id", sa.String(64), nullable=False),
    sa.Column("given_at", _TIME, nullable=False),
    sa.UniqueConstraint("session_id", "content_hash", "start_offset", "end_offset", name="uq_given_evidence_passage"),
)

documents = sa.Table(
    "documents",
    metadata,
    sa.Column("session_id", _SESSION, primary_key=True),
    sa.Column("body", sa.Text, nullable=False),
)
chapters = sa.Table(
    "chapters",
    metadata,
    sa.Column("session_id", _SESSION, primary_key=True),
    sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("body", sa.Text, nullable=False),
)

feedback = sa.Table(
    "feedback",
    metadata,
    sa.Column("number", sa.Integer, primary_key=True, autoincrement=True),
    sa.Column("feedback_id", sa.String(80), nullable=False, unique=True),
    sa.Column("body", sa.Text, nullable=False),
)

schema_metadata = sa.MetaData()
"""Apart from the others, since alembic makes and fills this table itself."""
schema_version = sa.Table(
    VERSION_TABLE,
    schema_metadata,
    sa.Column("version_num", sa.String(32), nullable=False),
    sa.PrimaryKeyConstraint("version_num", name=f"{VERSION_TABLE}_pkc"),
)
