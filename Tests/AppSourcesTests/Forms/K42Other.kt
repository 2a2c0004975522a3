package k42.other

const val TABLE_HOST = "table.acme.example"

fun fill() {
    BuiltTable.filled.add("sha256/vduvxDt5mhyuAlZH2GyLr30NZkpTRkcQBETkiJVp1rg=")
}
