import { CfnRegistry, CfnSchema } from 'aws-cdk-lib/aws-eventschemas';
import type { Construct } from 'constructs';
import { inboundEventSchemas } from '../../shared/contracts/inbound-events.ts';

/** The inbound events in a schema registry, where partners' tools generate types from. It checks nothing: the functions do. */
export function eventSchemas(scope: Construct): void {
  const registry = new CfnRegistry(scope, 'EventRegistry', { description: 'Events that Baton takes on its bus.' });
  for (const { name, description, content } of inboundEventSchemas()) {
    const id = `Event${name.replaceAll(/(?:^|[^a-z]+)([a-z])/g, (_, letter: string) => letter.toUpperCase())}`;
    new CfnSchema(scope, id, { registryName: registry.attrRegistryName, schemaName: name, type: 'JSONSchemaDraft4', description, content });
  }
}
