import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { PACKAGE_VARIANT_SCHEMA } from '../kinds/package-variant-schema.ts'
import { PACKAGE_VARIANT_SET_SCHEMA } from '../kinds/package-variant-set-schema.ts'
import { publishSchema } from './publish-schema.ts'
import type { Schema } from './schema.ts'

const SCHEMAS = new URL('../../schemas/', import.meta.url)

test('a titled part that is used twice becomes a definition, one without title or used once does not', () => {
  const entry = { title: 'Entry', type: 'object', properties: { key: { type: 'string' } } } as const satisfies Schema
  const list = { type: 'array', items: entry } as const satisfies Schema
  const schema = { type: 'object', properties: { a: list, b: list, c: { title: 'Once', type: 'string' } } } as const satisfies Schema
  expect(publishSchema(schema)).toEqual({
    $schema: 'http://json-schema.org/draft-07/schema#',
    type: 'object',
    properties: {
      a: { type: 'array', items: { $ref: '#/definitions/Entry' } },
      b: { type: 'array', items: { $ref: '#/definitions/Entry' } },
      c: { title: 'Once', type: 'string' },
    },
    definitions: { Entry: entry },
  })
})

test.each([
  { reason: 'PackageVariantSet', schema: PACKAGE_VARIANT_SET_SCHEMA },
  { reason: 'PackageVariant', schema: PACKAGE_VARIANT_SCHEMA },
])('$reason: the published file is that of today (`node scripts/generate.mjs --publish`)', ({ schema }) => {
  const file = schema.$id.split('/').at(-1) ?? ''
  expect(readFileSync(new URL(file, SCHEMAS), 'utf8')).toBe(`${JSON.stringify(publishSchema(schema), null, 2)}\n`)
})

test('every published file says what it is', () => {
  const files = readdirSync(SCHEMAS).filter((file) => file.endsWith('.json'))
  expect(files.length).toBeGreaterThan(0)
  for (const file of files) {
    const { $id, title, description } = JSON.parse(readFileSync(new URL(file, SCHEMAS), 'utf8'))
    expect({ file, id: $id.split('/').at(-1), title: typeof title, description: typeof description }).toEqual({
      file,
      id: file,
      title: 'string',
      description: 'string',
    })
  }
})
