import { Duration, RemovalPolicy, Stack } from 'aws-cdk-lib';
import { Certificate } from 'aws-cdk-lib/aws-certificatemanager';
import {
  type BehaviorOptions,
  Distribution,
  HeadersFrameOption,
  HeadersReferrerPolicy,
  HttpVersion,
  ResponseHeadersPolicy,
  SecurityPolicyProtocol,
  ViewerProtocolPolicy,
} from 'aws-cdk-lib/aws-cloudfront';
import { S3BucketOrigin } from 'aws-cdk-lib/aws-cloudfront-origins';
import { BlockPublicAccess, Bucket, BucketEncryption, type IBucket } from 'aws-cdk-lib/aws-s3';
import { BucketDeployment, CacheControl, Source } from 'aws-cdk-lib/aws-s3-deployment';
import { Construct } from 'constructs';
import { type BuiltPage, buildPages, headerPolicy, htmlFor } from 'imprimatur-pages';
import { type Acknowledgments, acknowledge, arnInFindings, wildcard } from '../acknowledge.ts';
import { ServiceLog } from '../service-function.ts';

interface SiteProps {
  readonly domainName?: string | undefined;
  readonly certificateArn?: string | undefined;
  readonly logDays: number;
}

const readerPrivacy = 'A log would show who reads what.';

const findings: Acknowledgments = {
  S1: readerPrivacy,
  CFR3: readerPrivacy,
  CFR1: 'Readers may be in any country.',
  CFR2: 'The pages are files without a backend to attack.',
};

/** Static site with the pages of `packages/pages`. It has no log, for the privacy of readers. */
export class Site extends Construct {
  /** Origin of the pages. Its root is the first page, which is the page for readers. */
  readonly origin: string;
  readonly #pages = buildPages();
  readonly #bucket = this.bucket();
  readonly #distribution: Distribution;
  readonly #logDays: number;

  constructor(scope: Construct, id: string, { domainName, certificateArn, logDays }: SiteProps) {
    super(scope, id);
    const bucket = this.#bucket;
    const origin = S3BucketOrigin.withOriginAccessControl(bucket);
    const behavior = (page: BuiltPage): BehaviorOptions => ({
      origin,
      viewerProtocolPolicy: ViewerProtocolPolicy.REDIRECT_TO_HTTPS,
      responseHeadersPolicy: this.headers(page),
    });
    const [first, ...others] = this.#pages;
    if (!first) throw new Error('there is no page to serve');
    this.#distribution = new Distribution(this, 'Distribution', {
      defaultRootObject: `${first.name}.html`,
      defaultBehavior: behavior(first),
      additionalBehaviors: Object.fromEntries(others.map((page) => [`/${page.name}.html`, behavior(page)])),
      httpVersion: HttpVersion.HTTP2_AND_3,
      ...(domainName &&
        certificateArn && {
          domainNames: [domainName],
          minimumProtocolVersion: SecurityPolicyProtocol.TLS_V1_2_2021,
          certificate: Certificate.fromCertificateArn(this, 'Certificate', certificateArn),
        }),
    });
    acknowledge(this, findings);
    if (!domainName) acknowledge(this, { CFR4: 'CloudFront chooses the TLS versions of its own domain.' });
    this.#logDays = logDays;
    this.origin = `https://${domainName ?? this.#distribution.distributionDomainName}`;
  }

  /**
   * Copies the pages to the bucket. The console contains the API's URL. The API is created after the site, because its
   * CORS settings contain the site's origin.
   */
  deployPages(apiUrl: string): void {
    const deployment = new BucketDeployment(this, 'Pages', {
      sources: this.#pages.map((page) => Source.data(`${page.name}.html`, htmlFor(page, apiUrl))),
      destinationBucket: this.#bucket,
      distribution: this.#distribution,
      logGroup: new ServiceLog(this, 'PagesLog', this.#logDays),
      cacheControl: [CacheControl.setPublic(), CacheControl.maxAge(Duration.minutes(5))],
      // The bucket has to be empty to be deleted with the stack.
      retainOnDelete: false,
    });
    this.acknowledgeDeployment(deployment, this.#bucket);
  }

  /** Bucket that only the distribution reads. The pages are built again by every deployment, so none is kept. */
  private bucket(): IBucket {
    return new Bucket(this, 'Bucket', {
      blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
      encryption: BucketEncryption.S3_MANAGED,
      enforceSSL: true,
      removalPolicy: RemovalPolicy.DESTROY,
    }) as IBucket;
  }

  /** The function is CDK's, with CDK's runtime; its role may write this bucket, and read the assets. */
  private acknowledgeDeployment({ handlerRole }: BucketDeployment, bucket: IBucket): void {
    const { account, region, partition } = Stack.of(this);
    const actions = ['GetBucket', 'GetObject', 'List', 'Abort', 'DeleteObject'];
    const assets = `arn:${partition}:s3:::cdk-hnb659fds-assets-${account}-${region}`;
    const reason = "CDK's function copies the assets of a deployment into this bucket, and writes its log.";
    const ids = [
      'IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/AWSLambdaBasicExecutionRole]',
      ...actions.map((action) => `IAM5[Action::s3:${action}*]`),
      wildcard(`${assets}/*`),
      wildcard(`${arnInFindings(bucket)}/*`),
    ];
    const { scope } = handlerRole.node;
    if (!scope) return;
    acknowledge(scope, {
      ...Object.fromEntries(ids.map((id) => [id, reason])),
      [wildcard('*')]: 'CDK lets its function empty the cache of any distribution, not only of this one.',
      L1: "CDK chooses its function's runtime.",
    });
  }

  private headers(page: BuiltPage): ResponseHeadersPolicy {
    const override = true;
    return new ResponseHeadersPolicy(this, `Headers-${page.name}`, {
      securityHeadersBehavior: {
        contentSecurityPolicy: { contentSecurityPolicy: headerPolicy(page), override },
        strictTransportSecurity: {
          accessControlMaxAge: Duration.days(365),
          // Subdomains may belong to other sites.
          includeSubdomains: false,
          override,
        },
        contentTypeOptions: { override },
        frameOptions: { frameOption: HeadersFrameOption.DENY, override },
        referrerPolicy: { referrerPolicy: HeadersReferrerPolicy.NO_REFERRER, override },
      },
    });
  }
}
