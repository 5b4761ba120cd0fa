//! Scans `name=12;` settings. Of three faults veer finds the inputs: a cut name, a number that is too big, a bad index.

pub fn scan(text: []const u8, known: *const [2]u8) error{ NoName, NoNumber }!u8 {
    var at: usize = 0;
    while (text[at] != '=') : (at += 1) {} // runs out of the text where there is no '='
    if (at == 0) return error.NoName;
    var value: u8 = 0;
    for (text[at + 1 ..]) |digit| {
        if (digit == ';') return known[value]; // there are two of them
        if (digit < '0' or digit > '9') return error.NoNumber;
        value = value * 10 + (digit - '0'); // 256 is too big for a byte
    }
    return error.NoNumber;
}
