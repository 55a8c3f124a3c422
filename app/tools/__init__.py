"""Design tools in windows beside the studio: each draws its proposal and its figures before anything is changed."""
