"""Settings for gunicorn with several processes and threads."""

wsgi_app = "examples.embedding.several:application"
bind = "127.0.0.1:8000"
workers = 2
worker_class = "gthread"
threads = 4
# Each process must open the stores itself: connections must not be shared with forked processes.
preload_app = False
# The setting database.query_deadline ends slow requests long before this.
timeout = 60
max_requests = 10_000
max_requests_jitter = 1_000
