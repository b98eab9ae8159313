import { CelError } from '../../src/cel/cel-error.ts'
import { compile } from '../../src/cel/program.ts'
import { isRecord, type JsonRecord, type JsonValue, lookup } from '../../src/json.ts'
import type { ExitCode, Host } from '../host.ts'
import { printJson } from '../print/print-value.ts'
import { UsageError } from '../usage-error.ts'
import { namedVariables } from './cel-variables.ts'

/** For each line `{"expr", "vars"}` a line `{"phase", "value" or "error"}`, in the same order. */
export function evaluateLines(input: string, host: Host): ExitCode {
  const lines = input.split('\n').filter((line) => line.trim() !== '')
  host.write(lines.map((line, i) => `${printJson(evaluateLine(line, i + 1))}\n`).join(''))
  return 0
}

/** @throws UsageError when the line is no such JSON */
function evaluateLine(line: string, number: number): JsonRecord {
  const request = parseLine(line)
  const expression = request && lookup(request, 'expr')
  const vars = (request && lookup(request, 'vars')) ?? {}
  if (typeof expression !== 'string' || !isRecord(vars)) throw new UsageError(`line ${number} of stdin must be {"expr": TEXT, "vars": {…}}`)
  const { names, variables } = namedVariables(vars)
  try {
    return { phase: 'ok', value: compile(expression, names).evaluate(variables) }
  } catch (error) {
    if (error instanceof CelError) return { phase: error.phase, error: error.message }
    throw error
  }
}

function parseLine(line: string): JsonRecord | undefined {
  try {
    const value: JsonValue = JSON.parse(line)
    return isRecord(value) ? value : undefined
  } catch {
    return undefined
  }
}
