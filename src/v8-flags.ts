/** The bytecodes that a function runs before V8 considers optimizing it. */
const BUDGET = 600_000

/**
 * Has V8 of Node 20 optimize functions after nine times as much use as by itself. Most functions of a run are used for less than a second,
 * and compiling them once more takes longer than they run. A function of a list that edits every item, in contrast, is faster with V8's
 * own number, so only `fan-out`, the functions of dependencies and the tool call this. Later versions of V8 wait by themselves; they count
 * otherwise and do not know the flag.
 */
export function optimizeLate(): void {
  if (process.versions.v8.startsWith('11.')) setFlag(`--interrupt-budget=${BUDGET}`)
}

/**
 * Has V8 collect garbage when the memory has doubled, not when it has grown to four times, and begin every object as a young one. A function
 * that holds a part of hundreds of thousands of objects for long and the others for a moment needs this: V8 begins all objects of a place
 * in the program as old ones if some of them live long, and then the others wait for a collection of everything.
 */
export function collectOften(): void {
  setFlag('--heap-growing-percent=100')
  setFlag('--no-allocation-site-pretenuring')
}

function setFlag(flag: string): void {
  process.getBuiltinModule('node:v8').setFlagsFromString(flag)
}
