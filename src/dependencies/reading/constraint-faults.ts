import type { Version } from '../../versions/version.ts'
import { type Finding, type FindingTags, quote, shorten } from '../finding.ts'
import type { FieldPlace } from '../place.ts'
import type { RangeReader, ReadConstraint } from '../range.ts'

/** A constraint as it stands in an object, and what it is on. */
export interface WrittenConstraint {
  readonly text: string
  readonly place: () => FieldPlace
  readonly ecosystem: string
  readonly reader: RangeReader
  /** What a constraint of this dialect may say without meaning it; the first that is found is told. */
  readonly traps: readonly FindTrap[]
  /** The known versions of what it constrains; none for the constraint of a platform. */
  readonly known: () => readonly Version[]
  /** Carvel: prereleases take part (`versionSelection.prereleases` is set). */
  readonly prereleases?: boolean
  readonly tags?: FindingTags
}

/** What a constraint says beside what its author most likely meant, and what to write instead. */
export interface Trap {
  readonly words: string
  readonly proposed?: string
}

export type FindTrap = (written: WrittenConstraint, read: ReadConstraint) => Trap | undefined

/** Whether the text is a constraint of its dialect, and whether it says what its author most likely meant. */
export function checkConstraint(written: WrittenConstraint): Finding[] {
  const { text, reader } = written
  const read = reader.constraint(text)
  if (!read.ok)
    return [
      fault(written, 'constraint-invalid', `${quote(text)} is no version constraint of ${reader.dialect.system}: ${shorten(read.error)}`),
    ]
  const trap = findTrap(written, read.value)
  return trap === undefined ? [] : [fault(written, 'constraint-suspect', `${quote(text)} ${trap.words}`, trap.proposed)]
}

function findTrap(written: WrittenConstraint, read: ReadConstraint): Trap | undefined {
  for (const find of written.traps) {
    const trap = find(written, read)
    if (trap !== undefined) return trap
  }
  return undefined
}

/** No version is in it, known or not. */
export function matchesNothing({ known }: WrittenConstraint, { range, isEmpty }: ReadConstraint): Trap | undefined {
  return !isEmpty || known().some((version) => range.accepts(version)) ? undefined : { words: 'can never match' }
}

function fault(
  { place, ecosystem, reader, tags, text }: WrittenConstraint,
  rule: Finding['rule'],
  message: string,
  proposedValue?: string,
): Finding {
  return {
    rule,
    message,
    place: place(),
    proposedValue,
    tags: { ecosystem, dialect: reader.dialect.name, ...tags, required: shorten(text) },
  }
}
