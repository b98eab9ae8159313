import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { publishSchema } from '../../src/schema/publish-schema.ts'
import { RENDER_VARIANTS_SCHEMA } from './schema.ts'

test('the published file is that of today (`node scripts/generate.mjs --publish`)', () => {
  const published = readFileSync(new URL('../../schemas/render-variants.json', import.meta.url), 'utf8')
  expect(published).toBe(`${JSON.stringify(publishSchema(RENDER_VARIANTS_SCHEMA), null, 2)}\n`)
})
