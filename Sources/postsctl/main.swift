print("postsctl")
