"""Run by alembic for every migration; the connection, its transaction and its lock are the caller's."""

from alembic import context

attributes = context.config.attributes
context.configure(
    connection=attributes["connection"],
    target_metadata=attributes["metadata"],
    version_table=attributes["version_table"],
    transactional_ddl=False,  # there is one transaction around all of it, begun by the caller
)
context.run_migrations()
