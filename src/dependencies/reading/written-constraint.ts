import { translateRange } from '../../versions/foreign-range.ts'
import type { Version } from '../../versions/version.ts'
import { type FieldPlace, type Finding, type FindingTags, quote, shorten } from '../finding.ts'
import type { Package, PackageRequirement, Range } from '../package-index.ts'
import type { RangeReader, ReadConstraint } from '../range.ts'
import { type ObjectField, placeOfField } from './field.ts'

/** A constraint as written in an object, with the known versions of the package that it constrains. */
export interface WrittenConstraint {
  readonly text: string
  readonly place: () => FieldPlace
  readonly ecosystem: string
  readonly reader: RangeReader
  /** The checks for traps of this dialect; the first trap that is found is reported. */
  readonly traps: readonly FindTrap[]
  /** Returns the known versions of the constrained package; none for a constraint of a platform. */
  readonly known: () => readonly Version[]
  /** Carvel: prereleases take part (`versionSelection.prereleases` is set). */
  readonly prereleases?: boolean
  readonly tags?: FindingTags
}

/** A constraint that parses but does not mean what its author most likely meant: the words, and the text to write instead. */
export interface Trap {
  readonly words: string
  readonly proposed?: string
}

export type FindTrap = (written: WrittenConstraint, read: ReadConstraint) => Trap | undefined

/** Returns the finding of a constraint that does not parse (`constraint-invalid`) or is a trap (`constraint-suspect`). */
export function checkConstraint(written: WrittenConstraint): Finding[] {
  const { text, reader } = written
  const read = reader.constraint(text)
  if (!read.ok) return [invalidConstraint(written, read.error)]
  const trap = findTrap(written, read.value)
  return trap === undefined ? [] : [fault(written, 'constraint-suspect', `${quote(text)} ${trap.words}`, trap.proposed)]
}

/**
 * Returns the finding of a constraint that does not parse, with the same range in the words of the dialect if it is one of another
 * ecosystem.
 */
function invalidConstraint(written: WrittenConstraint, error: string): Finding {
  const { dialect } = written.reader
  const proposed = translateRange(written.text, dialect)
  const instead =
    proposed === undefined ? `; a range is ${quote(dialect.example)}, one version ${quote('1.0.0')}` : `; write ${quote(proposed)}`
  const message = `${quote(written.text)} is no version constraint of ${dialect.system}: ${shorten(error)}${instead}`
  return fault(written, 'constraint-invalid', message, proposed)
}

function findTrap(written: WrittenConstraint, read: ReadConstraint): Trap | undefined {
  for (const find of written.traps) {
    const trap = find(written, read)
    if (trap !== undefined) return trap
  }
  return undefined
}

/** Returns a trap if no version, known or unknown, is in the range: `>2.0.0 <1.0.0`. */
export function matchesNothing({ known }: WrittenConstraint, { range, isEmpty }: ReadConstraint): Trap | undefined {
  return !isEmpty || known().some((version) => range.accepts(version)) ? undefined : { words: 'can never match' }
}

function fault(written: WrittenConstraint, rule: Finding['rule'], message: string, proposedValue?: string): Finding {
  const { place, ecosystem, reader, text } = written
  const tags = { ecosystem, dialect: reader.dialect.name, ...written.tags, required: shorten(text) }
  return { rule, message, place: place(), proposedValue, tags }
}

/** Measured traps of the Masterminds library, which Crossplane, Glasskube and kpt read constraints with. */
export const MASTERMINDS_TRAPS: readonly FindTrap[] = [matchesNothing, tildeZero, onlyPrereleases]

function tildeZero({ text }: WrittenConstraint): Trap | undefined {
  return /^~>?\s*v?0\.0\.0$/.test(text.trim()) ? { words: 'matches every version, as >=0.0.0 would', proposed: '>=0.0.0' } : undefined
}

// Every version that is known is a prerelease, and the range leaves prereleases out.
function onlyPrereleases({ text, known, reader }: WrittenConstraint, { range }: ReadConstraint): Trap | undefined {
  const versions = known()
  if (versions.length === 0 || versions.some((version) => range.accepts(version))) return undefined
  const plain = text.match(PLAIN_VERSION) ?? []
  const widened = reader.range(text.trimEnd().replace(PLAIN_VERSION, '$&-0'))
  const prerelease = versions.find((version) => version.pre.length > 0 && widened?.accepts(version))
  if (widened === undefined || prerelease === undefined) return undefined
  const cure = plain.length > 1 ? 'add -0 to each version' : 'add -0'
  return { words: `leaves prereleases out, and only prereleases match, such as ${prerelease.text}: ${cure}`, proposed: widened.text }
}

// A condition of a range admits prereleases where its own version is one, so each condition of a range must.
const PLAIN_VERSION = /(?<![\w.+-])v?\d+(\.\d+){0,2}(?=[\s,|]|$)/g

/** A requirement on a package, with the field that it is written in. */
export interface WrittenFields extends Omit<PackageRequirement, 'type' | 'place' | 'range'> {
  readonly range: Range | undefined
  /** The field of the requirement. */
  readonly field: ObjectField
}

/** A requirement whose place is computed when read: in a large catalog the place of one requirement in a thousand is needed. */
export class WrittenRequirement implements PackageRequirement {
  readonly type = 'package'
  readonly package: Package
  readonly range: Range | undefined
  readonly digest: string | undefined
  readonly optional: boolean
  readonly validateOnly: boolean
  readonly alias: string | undefined
  readonly #field: ObjectField

  constructor({ package: pkg, range, digest, optional, validateOnly, alias, field }: WrittenFields) {
    this.package = pkg
    this.range = range
    this.digest = digest
    this.optional = optional
    this.validateOnly = validateOnly
    this.alias = alias
    this.#field = field
  }

  get place(): FieldPlace {
    return placeOfField(this.#field)
  }
}
