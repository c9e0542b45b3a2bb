"""gunicorn: some processes of some threads each."""

wsgi_app = "examples.embedding.several:application"
bind = "127.0.0.1:8000"
workers = 2
worker_class = "gthread"
threads = 4
# Each process opens the stores itself: a connection must not be carried into another one.
preload_app = False
# A request is given up by the setting [database] query_deadline long before this.
timeout = 60
max_requests = 10_000
max_requests_jitter = 1_000
