1 2.5 'tag |a:0.5 b:3 c d:-1e2 |e f:word 17:2 | :1 :2
-1 | x

1 |f g h
