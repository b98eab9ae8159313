import { isRecord, type JsonRecord, type JsonValue } from '../../../src/json.ts'
import { DIALECTS, type Dialect } from '../../../src/versions/dialects.ts'
import type { Adapter, Difference } from '../adapter.ts'
import { casesOfFile, differ, type Judge, judgeByKind, record, text, texts } from './vectors.ts'

// The columns of the matrix that are evaluated; m340 reads everything as m350 does, its error texts apart.
const COLUMNS: Readonly<Record<string, Dialect>> = {
  m331: DIALECTS.m331,
  m340: DIALECTS.m350,
  m350: DIALECTS.m350,
  blang: DIALECTS.blang,
  k14s: DIALECTS.k14s,
  carvelhead: DIALECTS.carvelhead,
}
const SPOKEN = ['m331', 'm350', 'blang', 'k14s', 'carvelhead']

/** Versions and constraints: the matrix of all dialects, and tables of single libraries. */
export const SEMVER: Adapter = {
  folder: 'dependencies/semver',
  cases: (file) => (isRecord(file) && Array.isArray(file.constraints) ? matrixCases(file, file.constraints) : casesOfFile(file)),
  run: judgeByKind({
    matrix: judgeCells,
    'matrix-errors': judgeErrors,
    'masterminds-check': (vector) => judgeCheck(vector, DIALECTS.m350),
    'blang-range': (vector) => [...judgeCheck(vector, DIALECTS.k14s), ...judgeCheck(vector, DIALECTS.blang)],
    'carvel-head-range': (vector) => judgeCheck(vector, DIALECTS.carvelhead),
  }),
  known: [],
}

// A case for the cells of each constraint, and one for the words in which the libraries refuse it.
function matrixCases(file: JsonRecord, constraints: readonly JsonValue[]): readonly JsonValue[] {
  return constraints.flatMap((each): readonly JsonValue[] => {
    if (!isRecord(each)) return [each]
    const cells = { ...each, versions: texts(file, 'versions'), fileKind: 'matrix', name: `"${text(each, 'constraint')}"` }
    const refused = SPOKEN.some((column) => text(record(each, 'errors'), column) !== '')
    return refused ? [cells, { ...cells, fileKind: 'matrix-errors', name: `errors of "${text(each, 'constraint')}"` }] : [cells]
  })
}

function judgeCells(vector: JsonRecord): readonly Difference[] {
  return Object.entries(COLUMNS).flatMap(([column, dialect]) =>
    texts(vector, 'versions').flatMap((version, i) => {
      const expected = text(vector, column)[i]
      return expected === undefined ? [] : differ(`${column} ${version}`, letterOf(text(vector, 'constraint'), version, dialect), expected)
    }),
  )
}

// T matches, F does not, C the constraint does not parse, V the version does not, P the library panics.
function letterOf(constraint: string, version: string, dialect: Dialect): string {
  const parsed = dialect.parseConstraint(constraint)
  if (!parsed.ok) return 'C'
  const read = dialect.parseVersion(version)
  if (!read.ok) return 'V'
  const verdict = parsed.value.check(read.value)
  return verdict === 'panics' ? 'P' : verdict ? 'T' : 'F'
}

function judgeErrors(vector: JsonRecord): readonly Difference[] {
  return SPOKEN.flatMap((column) => {
    const expected = text(record(vector, 'errors'), column)
    const parsed = COLUMNS[column]?.parseConstraint(text(vector, 'constraint'))
    return expected === '' ? [] : differ(`error of ${column}`, parsed?.ok === false ? parsed.error : undefined, expected)
  })
}

/** One constraint and one version; `parseError`: the constraint must not parse. */
function judgeCheck(vector: JsonRecord, dialect: Dialect): ReturnType<Judge> {
  const parsed = dialect.parseConstraint(text(vector, 'constraint'))
  if (vector.parseError === true) return differ(dialect.name, parsed.ok, false)
  const version = dialect.parseVersion(text(vector, 'version'))
  return differ(dialect.name, parsed.ok && version.ok ? parsed.value.check(version.value) : 'does not parse', vector.expect)
}
