/** A class of errors. */
type ErrorClass = abstract new (...args: never[]) => Error

/** Returns what an action returns; undefined if it throws an error of one of some classes. Other errors are thrown. */
export function attempt<T>(act: () => T, ...expected: readonly ErrorClass[]): T | undefined {
  try {
    return act()
  } catch (error) {
    if (expected.some((each) => error instanceof each)) return undefined
    throw error
  }
}

/** Returns what an action returns; undefined if it throws. */
export function quietly<T>(act: () => T): T | undefined {
  try {
    return act()
  } catch {
    return undefined
  }
}
