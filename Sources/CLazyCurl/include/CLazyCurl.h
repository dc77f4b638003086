// Nothing is called from Swift: see curl.c.
