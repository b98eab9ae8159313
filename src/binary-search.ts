/**
 * Returns the first number below `count` for which a test is true; `count` if there is none. The test must be false up to a number and true
 * from there on.
 */
export function firstThat(count: number, test: (index: number) => boolean): number {
  let [low, high] = [0, count]
  while (low < high) {
    const middle = (low + high) >> 1
    if (test(middle)) high = middle
    else low = middle + 1
  }
  return low
}

/**
 * Returns the last number below `count` for which a test is true, at least 0. The test must be true up to a number and false from there on.
 */
export function lastThat(count: number, test: (index: number) => boolean): number {
  let [low, high] = [0, count]
  while (high - low > 1) {
    const middle = (low + high) >> 1
    if (test(middle)) low = middle
    else high = middle
  }
  return low
}
