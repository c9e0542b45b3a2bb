"""Style sheets and scripts, in modules by the names under which pages load them."""
