import { FUNCTION_NAMES } from '../check/declarations.ts'
import type { Expression } from '../expression.ts'
import { MACRO_FORMS } from '../parse/macros.ts'
import { advice, type Hint } from './hint.ts'
import { closestFunction, isLibrary } from './other-functions.ts'

/** A longer name is no slip of a known one, and too long to repeat. */
const LONGEST_NAME = 63

/** Fields that every variable with an object has: written without the variable, they are the commonest undeclared names. */
const FIELDS = new Set(['name', 'namespace', 'labels', 'annotations'])
export const OBJECTS: readonly string[] = ['target', 'repository', 'upstream']

/** For a function, or a variable, that is not known at its place. */
export function undeclaredHint(node: Expression, parent: Expression | undefined, variables: readonly string[]): Hint | undefined {
  if (node.kind === 'call') return functionHint(node.name.replace(/^\./, ''))
  if (node.kind !== 'identifier' || node.name.length > LONGEST_NAME) return undefined
  const name = node.name.replace(/^\./, '')
  if (isLibrary(name) && isOperand(node, parent)) return advice(`the functions of '${name}' are not in Porch's standard library`)
  return { kind: 'variable', name, known: variables, otherwise: otherwise(name, isOperand(node, parent), variables) }
}

/** For a text of several words that stands without quotes. */
export function textHint(text: string, variables: readonly string[]): Hint {
  return { kind: 'variable', name: text, known: variables, otherwise: quoted(text) }
}

function quoted(text: string): string {
  return `a text needs quotes: '${text}'`
}

function functionHint(name: string): Hint | undefined {
  if (name.length > LONGEST_NAME) return undefined
  const form = MACRO_FORMS.get(name)
  if (form !== undefined) return advice(`it is written ${form}`)
  const closest = closestFunction(name)
  if (closest !== undefined) return advice(`'${name}' is not in Porch's standard library; the closest that is: ${closest}`)
  return { kind: 'function', name, known: [...FUNCTION_NAMES, ...MACRO_FORMS.keys()] }
}

/** Whether more of a path follows the name: `cluster.name` means an object, `edge` alone a text. */
function isOperand(node: Expression, parent: Expression | undefined): boolean {
  if (parent?.kind === 'select') return true
  return parent?.kind === 'call' && (parent.target === node || (parent.name === '_[_]' && parent.args[0] === node))
}

function otherwise(name: string, isPath: boolean, variables: readonly string[]): string | undefined {
  const objects = OBJECTS.filter((object) => variables.includes(object)).map((object) => `${object}.${name}`)
  if (FIELDS.has(name)) return `it is a field of an object: ${objects.join(', ')}`
  if (name === 'repository') return 'downstream.repoExpr chooses the repository, so it is not known there'
  return isPath ? undefined : quoted(name)
}
