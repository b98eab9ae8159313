import type { ReadConstraint } from '../range.ts'
import { type FindTrap, matchesNothing, type Trap, type WrittenConstraint } from './constraint-faults.ts'

/** Measured traps of the Masterminds library, which Crossplane, Glasskube and kpt read constraints with. */
export const MASTERMINDS_TRAPS: readonly FindTrap[] = [matchesNothing, tildeZero, onlyPrereleases]

function tildeZero({ text }: WrittenConstraint): Trap | undefined {
  return /^~>?\s*v?0\.0\.0$/.test(text.trim()) ? { words: 'matches every version, as >=0.0.0 would', proposed: '>=0.0.0' } : undefined
}

// Every version that is known is a prerelease, and the range leaves prereleases out.
function onlyPrereleases({ text, known, reader }: WrittenConstraint, { range }: ReadConstraint): Trap | undefined {
  const versions = known()
  if (versions.length === 0 || versions.some((version) => range.accepts(version))) return undefined
  const widened = /^\s*(>=?|<=?|[~^]|=)?\s*v?\d+\.\d+\.\d+\s*$/.test(text) ? `${text.trimEnd()}-0` : undefined
  const prerelease = widened && versions.find((version) => version.pre.length > 0 && reader.range(widened)?.accepts(version))
  return prerelease
    ? { words: `leaves prereleases out, and only prereleases match, such as ${prerelease.text}: add -0`, proposed: widened }
    : undefined
}
