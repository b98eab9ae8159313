import { mainFor } from '../../src/run.ts'
import { renderVariantsFor } from './render-variants.ts'

await mainFor(renderVariantsFor)
