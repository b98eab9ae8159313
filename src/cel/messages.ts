import type { Advisor, Hint } from './advisor.ts'
import type { Lack } from './builtins/failure.ts'
import { CelError, type CelErrorDetail } from './cel-error.ts'
import type { NoValue } from './evaluate/closure.ts'
import type { Expression } from './expression.ts'
import { positionInExpression } from './expression-position.ts'
import type { CompileFault } from './faults.ts'
import { type CelValue, type Kind, kindOf, type MapValue } from './value.ts'

/** cel-go keeps the first findings and counts the rest. */
const MAX_FAULTS = 100
/** cel-go leaves out the source line when it is longer than this many bytes. */
const MAX_EXCERPT = 16_384

/** Returns the error of an expression that does not compile: every finding by its place, in cel-go's form. */
export function compileError(expression: string, tree: Expression | undefined, faults: readonly CompileFault[], advise: Advisor): CelError {
  const sorted = faults.slice(0, MAX_FAULTS).sort((a, b) => (a.offset ?? -1) - (b.offset ?? -1))
  const shown = sorted.map((fault) => formatFault(expression, fault))
  if (faults.length > MAX_FAULTS) shown.push(`${faults.length - MAX_FAULTS} more errors were truncated`)
  const offset = sorted[0]?.offset
  const place = offset === undefined ? {} : positionInExpression(expression, offset)
  return new CelError('compile', shown.join('\n'), { ...place, hints: () => advise({ kind: 'faults', expression, tree, faults: sorted }) })
}

function formatFault(expression: string, { offset, message }: CompileFault): string {
  if (offset === undefined) return `ERROR: <input>:-1:0: ${message}`
  if (expression === '') return `ERROR: <input>:1:0: ${message}`
  const { line, column } = positionInExpression(expression, offset)
  return `ERROR: <input>:${line}:${column}: ${message}${formatLine(expression.split('\n')[line - 1] ?? '', column)}`
}

/** Returns a line with dots up to a caret; dots and caret are wide where the character is not ASCII. */
function formatLine(text: string, column: number): string {
  if (new TextEncoder().encode(text).length > MAX_EXCERPT) return ''
  const characters = [...text.replaceAll('\t', ' ')]
  const dots = characters.slice(0, column - 1).map((character) => (isAscii(character) ? '.' : '．'))
  const caret = isAscii(characters[column - 1] ?? '') ? '^' : '＾'
  return `\n | ${characters.join('')}\n | ${dots.join('')}${caret}`
}

function isAscii(character: string): boolean {
  return character < '\u0080'
}

/** Returns the error of an evaluation, with the place of the node that failed. */
export function evalError(expression: string, { failure: { message, lack }, offset }: NoValue, hints: () => readonly Hint[]): CelError {
  return new CelError('eval', message, { ...positionInExpression(expression, offset), ...describeLack(lack), hints })
}

function describeLack(lack: Lack | undefined): CelErrorDetail {
  if (lack === undefined) return {}
  if ('variable' in lack) return { missingVariable: lack.variable }
  const { key, map } = lack
  return {
    missingKey: {
      key,
      // Sorted when it is reported, since most errors of a fleet are the same.
      get keys() {
        return keysOf(map)
      },
    },
  }
}

function keysOf(map: MapValue): readonly string[] {
  return [...map.keys()].filter((key) => typeof key === 'string').sort()
}

const CONVERT_WORDS: Readonly<Partial<Record<Kind, string>>> = {
  int: "unsupported type conversion from 'int' to string",
  uint: "unsupported type conversion from 'uint' to string",
  double: "type conversion error from Double to 'string'",
  bool: "type conversion error from bool to 'string'",
  bytes: "type conversion error from Bytes to 'string'",
  list: "type conversion error from list to 'string'",
  map: "type conversion error from map to 'string'",
  null_type: "type conversion error from 'null_type' to 'string'",
  'google.protobuf.Timestamp': "type conversion error from 'Timestamp' to 'string'",
  'google.protobuf.Duration': "type conversion error from 'Duration' to 'string'",
  type: "type conversion not supported for 'type'",
}

/** Returns the error of an expression whose value is no string. */
export function convertError(value: CelValue, hints: () => readonly Hint[]): CelError {
  return new CelError('convert', CONVERT_WORDS[kindOf(value)] ?? 'no string', { hints })
}
