import { main } from '../../src/run.ts'
import { generateSync } from './generate-sync.ts'

await main(generateSync)
