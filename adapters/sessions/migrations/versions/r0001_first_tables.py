"""Sessions, conflicts, decisions, searches: the tables of kisoku before it numbered its schemas."""

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    """Make what is missing: a database of that time has the tables, or some of them if its maker was killed."""
    present = set(sa.inspect(op.get_bind()).get_table_names())
    for name, columns in _tables():
        if name not in present:
            op.create_table(name, *columns)


def _tables() -> list[tuple[str, list[sa.Column[Any]]]]:
    return [
        (
            "sessions",
            [
                sa.Column("session_id", sa.String(200), primary_key=True),
                sa.Column("version", sa.String(20), nullable=False),
                sa.Column("created_at", sa.String(40), nullable=False),
                sa.Column("finished_at", sa.String(40)),
            ],
        ),
        *((name, _of_conflicts()) for name in ("conflicts", "decisions")),
        (
            "tool_invocations",
            [
                sa.Column("number", sa.Integer, primary_key=True, autoincrement=True),
                sa.Column("trace_id", sa.String(64), nullable=False, unique=True),
                sa.Column("session_id", sa.String(200), index=True),
                sa.Column("created_at", sa.String(40), nullable=False),
                sa.Column("version", sa.String(20), nullable=False),
                sa.Column("agent", sa.String(20), nullable=False),
                sa.Column("query", sa.Text, nullable=False),
                sa.Column("chunk_ids", sa.Text, nullable=False),
                sa.Column("refused", sa.Boolean, nullable=False),
                sa.Column("milliseconds", sa.Float, nullable=False),
                sa.Column("retrieval_details", sa.Text, nullable=False),
            ],
        ),
    ]


def _of_conflicts() -> list[sa.Column[Any]]:
    return [
        sa.Column("number", sa.Integer, primary_key=True, autoincrement=True),
        sa.Column("conflict_id", sa.String(80), nullable=False, unique=True),
        sa.Column("session_id", sa.String(200), nullable=False, index=True),
        sa.Column("body", sa.Text, nullable=False),
    ]
