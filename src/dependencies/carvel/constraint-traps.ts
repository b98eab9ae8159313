import { compareCores } from '../../versions/version.ts'
import type { ReadConstraint } from '../range.ts'
import { type FindTrap, matchesNothing, type Trap, type WrittenConstraint } from '../reading/written-constraint.ts'
/** Measured traps of the library with which kapp-controller reads constraints. */
export const CARVEL_TRAPS: readonly FindTrap[] = [ignoredOperator, droppedSign, hyphenRange, matchesNothing, admitsPrereleaseOfBound]

function ignoredOperator({ text }: WrittenConstraint, { range }: ReadConstraint): Trap | undefined {
  const [, operator, wildcard] = /^\s*([~^](?=\d)|[~^]>)\s*(\d+(?:\.\d+)?\.x)\s*$/.exec(text) ?? []
  const [exact] = range.literals
  if (operator === undefined || wildcard === undefined || exact === undefined) return undefined
  const same = operator !== '^' || wildcard.split('.').length === 2
  return { words: `means exactly ${exact.text} here: kapp-controller drops the '${operator}'`, ...(same && { proposed: wildcard }) }
}

// A word of a single character is dropped; a space behind `<`, `>` or `=` ends no word.
function droppedSign({ text }: WrittenConstraint): Trap | undefined {
  const [, sign] = /(?:^| )([|^~!])(?: |$)/.exec(text) ?? []
  if (sign === undefined) return undefined
  return { words: `holds a single '${sign}', which kapp-controller drops${sign === '|' ? "; alternatives are joined by '||'" : ''}` }
}

function hyphenRange(written: WrittenConstraint, read: ReadConstraint): Trap | undefined {
  const trap = / - /.test(written.text) ? matchesNothing(written, read) : undefined
  if (trap === undefined) return undefined
  const [, low, high] = /^\s*(\S+) - (\S+)\s*$/.exec(written.text) ?? []
  const words = `${trap.words}; kapp-controller has no hyphen ranges`
  return low === undefined || high === undefined ? { words } : { words, proposed: `>=${low} <=${high}` }
}

// Reported only where prereleases matter: when the constraint admits prereleases, or when a known prerelease of the bound is admitted.
function admitsPrereleaseOfBound(written: WrittenConstraint, { range, upperBound: bound }: ReadConstraint): Trap | undefined {
  const { text, known, prereleases, reader } = written
  if (bound === undefined) return undefined
  const admitted = known().find((version) => version.pre.length > 0 && compareCores(version, bound) === 0 && range.accepts(version))
  if (admitted === undefined && prereleases !== true) return undefined
  const cure = reader.dialect.name === 'k14s' ? { proposed: text.replace(bound.text, `${bound.text}-0`) } : {}
  return { words: `admits prereleases of its bound, such as ${admitted?.text ?? `${bound.text}-rc.1`}`, ...cure }
}
