import ArgumentParser
import GRDB
import Hummingbird
import Logging
import Yams
print("placeholder")
