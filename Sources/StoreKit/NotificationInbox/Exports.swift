// The inbox and the forwarder, under the name of their product. The module also has the store in a file.
@_exported public import PurchaseDatabase
