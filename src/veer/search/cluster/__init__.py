"""A search by the nodes of a cluster (docs/cluster.md, decision 0504)."""
