"""The HTTP edge: the WSGI application and all that knows about HTTP."""
