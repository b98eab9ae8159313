#!/bin/sh
# What is done before a store opens.
kubectl rollout restart deployment tills
