import { compareCores, type Version } from '../../versions/version.ts'
import type { Finding, FindingTags } from '../finding.ts'
import type { RangeReader, ReadConstraint } from '../range.ts'
import type { Ecosystem, Place } from '../universe.ts'

/** A constraint as it stands in an object, and what it is on. */
export interface WrittenConstraint {
  readonly text: string
  readonly place: () => Place
  readonly ecosystem: Ecosystem
  readonly reader: RangeReader
  /** The package it constrains, and its known versions; none for the constraint of a platform. */
  readonly known: () => readonly Version[]
  /** Carvel: prereleases take part (`versionSelection.prereleases` is set). */
  readonly prereleases?: boolean
  readonly tags?: FindingTags
}

/** Whether the text is a constraint of its dialect, and whether it says what its author most likely meant. */
export function checkConstraint(written: WrittenConstraint): Finding[] {
  const { text, reader } = written
  const read = reader.constraint(text)
  if (!read.ok)
    return [fault(written, 'constraint-invalid', `"${text}" is no version constraint of ${reader.dialect.system}: ${read.error}`)]
  const trap = findTrap(written, read.value)
  return trap === undefined ? [] : [fault(written, 'constraint-suspect', `"${text}" ${trap.words}`, trap.proposed)]
}

function findTrap(written: WrittenConstraint, read: ReadConstraint): Trap | undefined {
  for (const find of isMasterminds(written.reader) ? MASTERMINDS_TRAPS : CARVEL_TRAPS) {
    const trap = find(written, read)
    if (trap !== undefined) return trap
  }
  return undefined
}

function isMasterminds(reader: RangeReader): boolean {
  return reader.dialect.name.startsWith('m3')
}

interface Trap {
  readonly words: string
  readonly proposed?: string
}

type FindTrap = (written: WrittenConstraint, read: ReadConstraint) => Trap | undefined

// Measured traps of the dialects; the first that is found is told (docs of the dialects: `~0.0.0`, `^1.x`, hyphen ranges, prereleases).
const MASTERMINDS_TRAPS: readonly FindTrap[] = [matchesNothing, tildeZero, onlyPrereleases]
const CARVEL_TRAPS: readonly FindTrap[] = [ignoredOperator, droppedBar, matchesNothing, admitsPrereleaseOfBound]

function tildeZero({ text }: WrittenConstraint): Trap | undefined {
  return /^~>?\s*v?0\.0\.0$/.test(text.trim()) ? { words: 'matches every version, as >=0.0.0 would', proposed: '>=0.0.0' } : undefined
}

function ignoredOperator({ text }: WrittenConstraint, { range }: ReadConstraint): Trap | undefined {
  const [, operator, wildcard] = /^\s*([~^]>?)\s*(\d+(?:\.\d+)?\.x)\s*$/.exec(text) ?? []
  const [exact] = range.literals
  if (operator === undefined || wildcard === undefined || exact === undefined) return undefined
  const same = operator !== '^' || wildcard.split('.').length === 2
  return { words: `means exactly ${exact.text} here: kapp-controller drops the '${operator}'`, ...(same && { proposed: wildcard }) }
}

function droppedBar({ text }: WrittenConstraint): Trap | undefined {
  return /(^| )\|( |$)/.test(text)
    ? { words: `holds a single '|', which kapp-controller drops; alternatives are joined by '||'` }
    : undefined
}

function matchesNothing({ text, reader, known }: WrittenConstraint, { range, isEmpty }: ReadConstraint): Trap | undefined {
  if (!isEmpty || known().some((version) => range.accepts(version))) return undefined
  const hyphen = / - /.test(text) && !isMasterminds(reader)
  return { words: `can never match${hyphen ? '; kapp-controller has no hyphen ranges' : ''}`, ...(hyphen && hyphenProposal(text)) }
}

function hyphenProposal(text: string): { proposed?: string } {
  const [, low, high] = /^\s*(\S+) - (\S+)\s*$/.exec(text) ?? []
  return low === undefined || high === undefined ? {} : { proposed: `>=${low} <=${high}` }
}

// Told only where it bites: prereleases take part, or one that is known is let in.
function admitsPrereleaseOfBound(written: WrittenConstraint, { range, upperBound: bound }: ReadConstraint): Trap | undefined {
  const { text, known, prereleases, reader } = written
  if (bound === undefined) return undefined
  const admitted = known().find((version) => version.pre.length > 0 && compareCores(version, bound) === 0 && range.accepts(version))
  if (admitted === undefined && prereleases !== true) return undefined
  const cure = reader.dialect.name === 'k14s' ? { proposed: text.replace(bound.text, `${bound.text}-0`) } : {}
  return { words: `admits prereleases of its bound, such as ${admitted?.text ?? `${bound.text}-rc.1`}`, ...cure }
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

function fault(
  { place, ecosystem, reader, tags, text }: WrittenConstraint,
  rule: Finding['rule'],
  message: string,
  proposedValue?: string,
): Finding {
  return { rule, message, place: place(), proposedValue, tags: { ecosystem, dialect: reader.dialect.name, ...tags, required: text } }
}
