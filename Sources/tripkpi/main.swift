print("tripkpi")
