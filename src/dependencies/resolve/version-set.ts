/** A set of versions of one package: bit `i` stands for the `i`-th version of its list. */
export type VersionSet = bigint

const LOW_BITS = 30

/** Returns the set of the versions with these numbers. */
export function versionSet(numbers: Iterable<number>): VersionSet {
  let low = 0
  let set = 0n
  for (const number of numbers) {
    if (number < LOW_BITS) low |= 1 << number
    else set |= 1n << BigInt(number)
  }
  return set | BigInt(low)
}

/** Returns the set of the first `count` versions. */
export function firstVersions(count: number): VersionSet {
  return (1n << BigInt(count)) - 1n
}

const LOW = firstVersions(LOW_BITS)

/** Returns the first 30 versions of a set as a number. Operations on numbers are many times faster than on bigints. */
export function lowBits(set: VersionSet): number {
  return Number(set & LOW)
}

/** Returns true if `lowBits` keeps every member of sets of the first `count` versions. */
export function fitsLowBits(count: number): boolean {
  return count <= LOW_BITS
}

export function isSubset(part: VersionSet, whole: VersionSet): boolean {
  return (part & whole) === part
}

/** Returns the members of the first set that are not in the second. */
export function difference(from: VersionSet, what: VersionSet): VersionSet {
  return from ^ (from & what)
}

/** Returns true if the set has exactly one member. */
export function isSingle(set: VersionSet): boolean {
  return set !== 0n && (set & (set - 1n)) === 0n
}

/** Returns the smallest number of a set, the most preferred version. The set must not be empty. */
export function firstPreferred(set: VersionSet): number {
  return (set & -set).toString(2).length - 1
}

export function hasVersion(set: VersionSet, number: number): boolean {
  return ((set >> BigInt(number)) & 1n) === 1n
}

/** Returns the numbers of a set, ascending: 0b101 is [0, 2]. */
export function numbersIn(set: VersionSet): number[] {
  const bits = set.toString(2)
  const numbers: number[] = []
  for (let number = 0; number < bits.length; number++) if (bits[bits.length - 1 - number] === '1') numbers.push(number)
  return numbers
}
