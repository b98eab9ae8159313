import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { publishSchema } from '../../src/schema/publish-schema.ts'
import { RESOLVE_DEPENDENCIES_SCHEMA } from './schema.ts'

test('the published schema is that of today (`node scripts/generate.mjs --publish`)', () => {
  const published = readFileSync(new URL('../../schemas/resolve-dependencies.json', import.meta.url), 'utf8')
  expect(published).toBe(`${JSON.stringify(publishSchema(RESOLVE_DEPENDENCIES_SCHEMA), null, 2)}\n`)
})
