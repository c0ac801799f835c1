"""What lookups gave in a session, so that it is not given twice."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    """Make the table."""
    op.create_table(
        "given_evidence",
        sa.Column("number", sa.Integer, primary_key=True, autoincrement=True),
        sa.Column("session_id", sa.String(200), nullable=False),
        sa.Column("content_hash", sa.String(64), nullable=False),
        sa.Column("start_offset", sa.Integer, nullable=False),
        sa.Column("end_offset", sa.Integer, nullable=False),
        sa.Column("domain", sa.String(200), nullable=False),
        sa.Column("trace_id", sa.String(64), nullable=False),
        sa.Column("given_at", sa.String(40), nullable=False),
        sa.UniqueConstraint(
            "session_id", "content_hash", "start_offset", "end_offset", name="uq_given_evidence_passage"
        ),
    )
