print("pindrill")
