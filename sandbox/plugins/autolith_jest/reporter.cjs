/** The reporter that jest is given by its path: the one that was loaded by node before. */
module.exports = globalThis[Symbol.for("autolith.jest")];
