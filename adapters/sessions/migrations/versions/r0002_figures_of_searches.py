"""What figures over many searches need as columns of their own: gate, categories, cache, tokens, cost; by time."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    """Add the columns; searches recorded before have nothing in them."""
    for column in (
        sa.Column("gate", sa.String(40)),
        sa.Column("categories", sa.String(80)),
        sa.Column("cache_hit", sa.Boolean),
        sa.Column("embedding_tokens", sa.Integer),
        sa.Column("cost", sa.Float),
    ):
        op.add_column("tool_invocations", column)
    op.create_index("ix_tool_invocations_created_at", "tool_invocations", ["created_at"])
