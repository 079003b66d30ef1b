// The store in a file, under the name of its product. The module also has the inbox and the forwarder.
@_exported public import PurchaseDatabase
