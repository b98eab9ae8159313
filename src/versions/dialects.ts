import { parseBlangRange } from './blang-range.ts'
import { BLANG, type BlangRelease, CARVEL_2026, compareBlang, K14S, parseBlangVersion } from './blang-version.ts'
import { type MastermindsMethod, parseMastermindsConstraint } from './masterminds-constraint.ts'
import {
  compareMasterminds,
  MASTERMINDS_1_5_0,
  MASTERMINDS_3_3_1,
  MASTERMINDS_3_5_0,
  type MastermindsRelease,
  parseMastermindsVersion,
} from './masterminds-version.ts'
import { type Constraint, type Parsed, refused, type Version } from './version.ts'

/** The version rules of one package manager. */
export interface Dialect {
  readonly name: string
  /** The package manager or library, for messages: "no version constraint of kapp-controller". */
  readonly system: string
  /** A range, for messages. */
  readonly example: string
  parseVersion(text: string): Parsed<Version>
  parseConstraint(text: string): Parsed<Constraint>
  compare(a: Version, b: Version): number
}

// A longer text is not a version or constraint that a person wrote, and would take too long to parse.
const MOST_CHARACTERS = 4096

/** Parses a text, or returns an error if the text is too long. */
function capped<T>(text: string, read: (text: string) => Parsed<T>): Parsed<T> {
  return text.length <= MOST_CHARACTERS ? read(text) : refused(`it has ${text.length} characters, and at most ${MOST_CHARACTERS} are read`)
}

function masterminds(name: string, system: string, release: MastermindsRelease, method: MastermindsMethod): Dialect {
  return {
    name,
    system,
    example: '>=1.0.0, <2.0.0',
    parseVersion: (text) => capped(text, (short) => parseMastermindsVersion(short, release)),
    parseConstraint: (text) => capped(text, (short) => parseMastermindsConstraint(short, release, method)),
    compare: compareMasterminds,
  }
}

function blang(name: string, system: string, release: BlangRelease): Dialect {
  return {
    name,
    system,
    example: '>=1.0.0 <2.0.0',
    parseVersion: (text) => capped(text, (short) => parseBlangVersion(short, release)),
    parseConstraint: (text) => capped(text, (short) => parseBlangRange(short, release)),
    compare: (a, b) => compareBlang(a, b, release),
  }
}

/** The dialects of all package managers; m340 has the rules of m350. */
export const DIALECTS = {
  m331: masterminds('m331', 'Masterminds 3.3.1', MASTERMINDS_3_3_1, 'check'),
  m331validate: masterminds('m331', 'Glasskube', MASTERMINDS_3_3_1, 'validate'),
  m150: masterminds('m150', 'Crossplane before v2.3', MASTERMINDS_1_5_0, 'check'),
  m350: masterminds('m350', 'Crossplane', MASTERMINDS_3_5_0, 'check'),
  kpt: masterminds('m350', 'kpt', MASTERMINDS_3_5_0, 'check'),
  blang: blang('blang', 'blang', BLANG),
  k14s: blang('k14s', 'kapp-controller', K14S),
  carvelhead: blang('carvelhead', 'kapp-controller', CARVEL_2026),
} as const satisfies Readonly<Record<string, Dialect>>
