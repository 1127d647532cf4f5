"""The room: where a class stands, from its exported records, and a JupyterHub for it on one machine."""
