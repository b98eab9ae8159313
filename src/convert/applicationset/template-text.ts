import { isRecord, type JsonRecord, type JsonValue } from '../../json.ts'
import { quoteText } from '../../schema/describe-value.ts'
import { asQuestion, nearestName } from '../../schema/nearest-name.ts'
import { renderGo } from './go-template.ts'
import { TemplateFault } from './template-functions.ts'

/** The two dialects of an ApplicationSet. */
export interface TemplateDialect {
  readonly goTemplate: boolean
  /** True if a parameter that is not there is an error (`missingkey=error`). */
  readonly isStrict: boolean
  /** True if fasttemplate keeps names that are no parameters: a generator that gets those of another one may name its own. */
  readonly keepsUnknown?: boolean
}

/** Returns a text with the parameters of a generator. @throws TemplateFault for what convert cannot follow, and for a missing parameter */
function renderText(text: string, params: JsonRecord, dialect: TemplateDialect): string {
  if (!text.includes('{{')) return text
  return dialect.goTemplate ? renderGo(text, params, dialect.isStrict) : renderFast(text, params, dialect.keepsUnknown === true)
}

/**
 * Returns a text with its parameters, as fasttemplate does, which knows names and nothing else. A name that is not there stays in the text,
 * so it is a fault in the text of an Application.
 */
function renderFast(text: string, params: JsonRecord, keepsUnknown: boolean): string {
  return text.replaceAll(/\{\{([\s\S]*?)\}\}/g, (whole, tag: string) => {
    const value = params[tag.trim()]
    if (typeof value === 'string') return value
    if (keepsUnknown) return whole
    const near = asQuestion(nearestName(tag.trim(), Object.keys(params)))
    const hint = tag.trim().startsWith('.') ? ', which Go templates have: set `goTemplate: true`' : near
    throw new TemplateFault(`must name a parameter of the generator, got ${quoteText(`{{${tag}}}`)}${hint}`)
  })
}

/** Returns a value with all its texts, and the keys of its maps, rendered. @throws FieldFault with the path of a text with a fault */
export function renderValue(
  value: JsonValue,
  params: JsonRecord,
  dialect: TemplateDialect,
  path: readonly (string | number)[] = [],
): JsonValue {
  if (typeof value === 'string') {
    try {
      return renderText(value, params, dialect)
    } catch (error) {
      throw error instanceof TemplateFault ? new FieldFault(path, error.message) : error
    }
  }
  if (Array.isArray(value)) return value.map((each, index) => renderValue(each, params, dialect, [...path, index]))
  if (!isRecord(value)) return value
  const entries = Object.entries(value).map(([key, each]) => {
    const own = [...path, key]
    return [String(renderValue(key, params, dialect, own)), renderValue(each, params, dialect, own)] as const
  })
  return Object.fromEntries(entries)
}

/** A fault at a field of an ApplicationSet. */
export class FieldFault extends Error {
  readonly path: readonly (string | number)[]

  constructor(path: readonly (string | number)[], message: string) {
    super(message)
    this.path = path
  }
}
