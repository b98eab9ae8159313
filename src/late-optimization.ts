/** The bytecodes that a function runs before V8 considers optimizing it. */
const BUDGET = 600_000

/**
 * Has V8 of Node 20 optimize functions after nine times as much use as by itself. Most functions of a run are used for less than a second,
 * and compiling them once more takes longer than they run. A function of a list that edits every item, in contrast, is faster with V8's
 * own number, so only `fan-out`, the functions of dependencies and the tool call this. Later versions of V8 wait by themselves; they count
 * otherwise and do not know the flag.
 */
export function optimizeLate(): void {
  if (process.versions.v8.startsWith('11.')) process.getBuiltinModule('node:v8').setFlagsFromString(`--interrupt-budget=${BUDGET}`)
}
