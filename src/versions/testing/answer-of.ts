import type { Dialect } from '../dialects.ts'
import type { Version } from '../version.ts'

/** Returns a version. @throws Error  with the refusal of a text that is no version */
export function parsedVersion(text: string, dialect: Dialect): Version {
  const parsed = dialect.parseVersion(text)
  if (!parsed.ok) throw new Error(`${text}: ${parsed.error}`)
  return parsed.value
}

/** Returns what a constraint says about a version, or the refusal of the constraint. */
export function answerOf(constraint: string, version: string, dialect: Dialect): boolean | string {
  const parsed = dialect.parseConstraint(constraint)
  return parsed.ok ? parsed.value.check(parsedVersion(version, dialect)) : parsed.error
}

/** Returns -1, 0 or 1: the order of two versions. */
export function orderOf(a: string, b: string, dialect: Dialect): number {
  return Math.sign(dialect.compare(parsedVersion(a, dialect), parsedVersion(b, dialect)))
}
