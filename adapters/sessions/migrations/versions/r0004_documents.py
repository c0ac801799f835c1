"""Documents that are being generated, and their chapters."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    """Make the tables."""
    op.create_table(
        "documents",
        sa.Column("session_id", sa.String(200), primary_key=True),
        sa.Column("body", sa.Text, nullable=False),
    )
    op.create_table(
        "chapters",
        sa.Column("session_id", sa.String(200), primary_key=True),
        sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("body", sa.Text, nullable=False),
    )
