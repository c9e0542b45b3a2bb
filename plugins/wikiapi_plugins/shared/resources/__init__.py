"""Modules of style sheets and scripts, by the names under which pages load them."""
