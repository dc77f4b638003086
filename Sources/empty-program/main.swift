// The least that a program with Foundation costs: the limit of the benchmark's area "startup".
import Foundation

exit(Date().timeIntervalSince1970 > 0 ? 0 : 1)
