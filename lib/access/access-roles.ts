import { CfnOutput, DefaultStackSynthesizer, Fn, Stack } from 'aws-cdk-lib';
import { ArnPrincipal, CompositePrincipal, PolicyStatement, Role } from 'aws-cdk-lib/aws-iam';
import { Construct } from 'constructs';
import { type Acknowledgments, acknowledge } from '../acknowledge.ts';
import {
  custodianAcknowledgments,
  custodianStatements,
  type Operated,
  operatorAcknowledgments,
  operatorStatements,
} from './operator-statements.ts';

/** ARNs of users, roles and accounts that may take each role; a role that nobody may take is not made. */
interface AccessRolesProps extends Operated {
  readonly assumedBy: {
    readonly operators: readonly string[];
    readonly custodians: readonly string[];
    readonly deployers: readonly string[];
  };
}

/** Roles of the people, and the pipelines, that look after the stack. None of them signs: the key's policy denies it. */
export class AccessRoles extends Construct {
  constructor(scope: Construct, id: string, { assumedBy, ...operated }: AccessRolesProps) {
    super(scope, id);
    const stack = Stack.of(this);
    this.role('Operators', assumedBy.operators, {
      description: 'Runs npm run admin; sees no contents, makes no keys and issues none',
      statements: operatorStatements(stack, operated),
      acknowledgments: operatorAcknowledgments(stack, operated),
    });
    this.role('Custodians', assumedBy.custodians, {
      description: 'Runs npm run admin, to see and erase contents and to make and issue keys as well',
      statements: custodianStatements(stack, operated),
      acknowledgments: custodianAcknowledgments(stack, operated),
    });
    const deploying = new PolicyStatement({ actions: ['sts:AssumeRole'], resources: bootstrapRoles() });
    this.role('Deployers', assumedBy.deployers, {
      description: 'Runs cdk deploy, by the roles of cdk bootstrap',
      statements: [deploying],
      acknowledgments: {},
    });
  }

  private role(
    id: string,
    principals: readonly string[],
    { description, statements, acknowledgments }: RoleProps,
  ) {
    if (principals.length === 0) return;
    const assumedBy = new CompositePrincipal(...principals.map((arn) => new ArnPrincipal(arn)));
    const role = new Role(this, id, { description, assumedBy });
    for (const statement of statements) role.addToPolicy(statement);
    acknowledge(role, acknowledgments);
    new CfnOutput(Stack.of(this), `${id}Role`, { value: role.roleArn });
  }
}

interface RoleProps {
  readonly description: string;
  readonly statements: readonly PolicyStatement[];
  readonly acknowledgments: Acknowledgments;
}

/** ARNs of the roles that `cdk deploy` takes: to deploy, to upload assets, and to look up. */
function bootstrapRoles(): string[] {
  const { DEFAULT_QUALIFIER: qualifier, ...names } = DefaultStackSynthesizer;
  const arns = [
    names.DEFAULT_DEPLOY_ROLE_ARN,
    names.DEFAULT_FILE_ASSET_PUBLISHING_ROLE_ARN,
    names.DEFAULT_LOOKUP_ROLE_ARN,
  ];
  // biome-ignore lint/suspicious/noTemplateCurlyInString: a placeholder of CDK's
  return arns.map((arn) => Fn.sub(arn.replaceAll('${Qualifier}', qualifier)));
}
