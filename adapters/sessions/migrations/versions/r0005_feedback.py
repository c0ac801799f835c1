"""Feedback on searches."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    """Make the table."""
    op.create_table(
        "feedback",
        sa.Column("number", sa.Integer, primary_key=True, autoincrement=True),
        sa.Column("feedback_id", sa.String(80), nullable=False, unique=True),
        sa.Column("body", sa.Text, nullable=False),
    )
