"""Style sheets and scripts by the names under which pages load them."""
