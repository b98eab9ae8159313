import type { JsonValue } from '../../json.ts'
import { formatTimestamp } from '../builtins/time.ts'
import { CelError } from '../cel-error.ts'
import { typesOfVariables } from '../check/scope.ts'
import { compileExtendedCondition, compileTyped } from '../program.ts'
import { type CelValue, Duration, isCelList, isMap, OptionalValue, Timestamp, TypeValue, Uint } from '../value.ts'
import { prepareVariables } from '../variables.ts'

const TARGET = { name: 'edge', labels: { env: 'prod' } }

/**
 * Returns the value of an expression of a template, in words that name its type: `1`, `1u`, `double 1`, `'a'`. For an expression without a
 * value, returns the message: with line and column when it does not compile.
 */
export function answerTo(expression: string): string {
  return answered(() => {
    const variables = prepareVariables(
      new Map<string, JsonValue>([
        ['target', TARGET],
        ['repoDefault', 'r'],
      ]),
    )
    return wordsOf(compileTyped(expression, typesOfVariables(['target', 'repoDefault'])).value(variables))
  })
}

/** Returns `true` or `false` for a condition with the extension libraries of kpt, or the message as `answerTo` does. */
export function conditionAnswer(expression: string): string {
  return answered(() => {
    const variables = prepareVariables(
      new Map<string, JsonValue>([
        ['target', TARGET],
        ['repoDefault', 'r'],
      ]),
    )
    return String(compileExtendedCondition(expression, ['target', 'resources']).holds(variables))
  })
}

function answered(answer: () => string): string {
  try {
    return answer()
  } catch (error) {
    if (error instanceof CelError) return error.message.replace(/^ERROR: <input>:|\n \|.*$/gm, '')
    throw error
  }
}

function wordsOf(value: CelValue): string {
  if (typeof value === 'string') return `'${value}'`
  if (typeof value === 'number') return `double ${Object.is(value, -0) ? '-0' : value}`
  if (value instanceof Uint) return `${value.value}u`
  if (value instanceof Uint8Array) return `bytes ${value.join(' ')}`
  if (value instanceof Timestamp) return formatTimestamp(value)
  if (value instanceof Duration) return `${value.nanoseconds}ns`
  if (value instanceof TypeValue) return value.name
  if (value instanceof OptionalValue) return value.value === undefined ? 'none' : `optional ${wordsOf(value.value)}`
  if (isCelList(value)) return `[${value.map(wordsOf).join(', ')}]`
  if (isMap(value)) return `{${[...value].map(([key, each]) => `${wordsOf(key)}: ${wordsOf(each)}`).join(', ')}}`
  return String(value)
}
