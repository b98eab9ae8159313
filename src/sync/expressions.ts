import { CelError } from '../cel/cel-error.ts'
import { prepareVariables, type Variables } from '../cel/variables.ts'
import type { Fleet } from '../fleet/fleet.ts'
import type { PlannedVariant } from '../fleet/planned-variants.ts'
import { describeNoValue, programFault } from '../fleet/templates/expression-faults.ts'
import { TARGET_SCOPE, targetVariables, templateCompiler } from '../fleet/templates/template-programs.ts'
import { isDns1123Label, isDns1123Subdomain } from '../kubernetes/names.ts'
import type { Result } from '../result.ts'
import { quoteText } from '../schema/describe-value.ts'
import { faultToResult } from '../schema/fault.ts'
import type { SyncExpression, SyncOptions, SyncSystem } from './options.ts'

/** The variables of the expressions: those of a target, and the package. */
const SCOPE: readonly string[] = [...TARGET_SCOPE, 'packageDefault']

/** A kind of value that an expression may give. */
interface Accepted {
  readonly what: string
  readonly accepts: (text: string) => boolean
}

const OBJECT_NAME: Accepted = { what: "a name of a-z0-9, '-' and '.'", accepts: isDns1123Subdomain }

/** The name of a cluster in Argo CD is free text, such as an ARN. */
const PRINTABLE: Accepted = {
  what: 'a name that is not empty, without line breaks',
  accepts: (text) => text.trim() !== '' && !/\p{Cc}/u.test(text),
}

/** The expressions whose values name something in a cluster. */
const VALUES: Readonly<Partial<Record<SyncExpression, Accepted>>> = {
  nameExpr: OBJECT_NAME,
  projectExpr: OBJECT_NAME,
  destinationExpr: OBJECT_NAME,
  tagExpr: {
    what: "a tag, at most 128 of A-Z, a-z, 0-9, '_', '.', '-' and '/'",
    accepts: (text) => /^\w[\w./-]{0,127}$/.test(text) && !text.includes('..'),
  },
  namespaceExpr: { what: "a namespace, at most 63 of a-z0-9 and '-'", accepts: isDns1123Label },
}

/** Returns what an expression may give if it gave something else. */
function acceptedFor(name: SyncExpression, text: string, system: SyncSystem): string | undefined {
  const accepted = system === 'argocd' && name === 'destinationExpr' ? PRINTABLE : VALUES[name]
  return accepted === undefined || accepted.accepts(text) ? undefined : accepted.what
}

/** Evaluates the expressions of a GenerateSync. */
export interface SyncExpressions {
  /** Returns the text of an expression for a variant; undefined for an expression that is not set, and for one with a fault. */
  readonly textOf: (name: SyncExpression, variant: PlannedVariant) => string | undefined
  /** Returns the wave of a variant: its rings before, or what `waveExpr` gives; 0 if that is no whole number, which is a fault. */
  readonly waveOf: (variant: PlannedVariant) => number
  /** Returns the faults so far: expressions that do not compile, and each reason why one has no value, once. */
  readonly faults: () => readonly Result[]
}

/** Compiles the expressions of a GenerateSync. */
export function syncExpressions({ config, system, expressions }: SyncOptions, fleet: Fleet): SyncExpressions {
  const compiler = templateCompiler(fleet)
  const programs = new Map([...expressions].map(([name, expression]) => [name, compiler.expressionOf(expression, SCOPE)]))
  const failed = new Map<string, Result>()
  const textOf = (name: SyncExpression, variant: PlannedVariant): string | undefined => {
    const [program, expression] = [programs.get(name), expressions.get(name)]
    if (program === undefined || expression === undefined || program instanceof CelError) return undefined
    try {
      const text = program.evaluate(variablesOf(variant, fleet))
      const accepted = acceptedFor(name, text, system)
      if (accepted === undefined) return text
      const message = `must give ${accepted}, got ${quoteText(text)} for variant '${variant.name}'`
      const fault = faultToResult(config, { severity: 'error', rule: 'sync-value', path: expression.path, message })
      if (!failed.has(`${name} gives ${text}`)) failed.set(`${name} gives ${text}`, fault)
      return undefined
    } catch (error) {
      if (!(error instanceof CelError)) throw error
      const why = describeNoValue({ expression, error }, fleet.nearestAmong)
      const message = `must have a value for variant '${variant.name}': ${why}`
      const fault = faultToResult(config, { severity: 'error', rule: 'expression-eval', path: expression.path, message })
      if (!failed.has(`${name} ${error.message}`)) failed.set(`${name} ${error.message}`, fault)
      return undefined
    }
  }
  const waveOf = (variant: PlannedVariant): number => {
    const text = textOf('waveExpr', variant)
    if (text === undefined) return variant.ringsBefore
    if (/^-?[0-9]{1,6}$/.test(text)) return Number(text)
    const path = expressions.get('waveExpr')?.path ?? []
    const message = `must give a whole number as text, got ${quoteText(text)} for variant '${variant.name}'`
    const fault = faultToResult(config, { severity: 'error', rule: 'sync-wave', path, message })
    if (!failed.has(`wave ${text}`)) failed.set(`wave ${text}`, fault)
    return 0
  }
  const broken = [...programs].flatMap(([name, program]) => {
    const expression = expressions.get(name)
    return program instanceof CelError && expression !== undefined ? [programFault(config, expression, program)] : []
  })
  return { textOf, waveOf, faults: () => [...broken, ...failed.values()] }
}

function variablesOf({ repo, packageName, namespace, target }: PlannedVariant, fleet: Fleet): Variables {
  const ofTarget = targetVariables({ repoDefault: repo, object: target }, fleet.repositories(namespace))
  return new Map([...ofTarget, ...prepareVariables(new Map([['packageDefault', packageName]]))])
}
