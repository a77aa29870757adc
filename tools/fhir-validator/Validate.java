import ca.uhn.fhir.context.FhirContext;
import ca.uhn.fhir.context.support.DefaultProfileValidationSupport;
import ca.uhn.fhir.validation.ResultSeverityEnum;
import ca.uhn.fhir.validation.SingleValidationMessage;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.hl7.fhir.common.hapi.validation.support.CommonCodeSystemsTerminologyService;
import org.hl7.fhir.common.hapi.validation.support.InMemoryTerminologyServerValidationSupport;
import org.hl7.fhir.common.hapi.validation.support.ValidationSupportChain;
import org.hl7.fhir.common.hapi.validation.validator.FhirInstanceValidator;
import org.hl7.fhir.r5.utils.validation.constants.BestPracticeWarningLevel;

/**
 * Checks each JSON file of a folder against FHIR R4, without a network. Prints a line for each error and warning, and the
 * counts at the end; exits with 1 if there was an error, or no file.
 */
public class Validate {
  public static void main(String[] args) throws Exception {
    FhirContext context = FhirContext.forR4();
    ValidationSupportChain support = new ValidationSupportChain(
        new DefaultProfileValidationSupport(context),
        new CommonCodeSystemsTerminologyService(context),
        new InMemoryTerminologyServerValidationSupport(context));
    FhirInstanceValidator module = new FhirInstanceValidator(support);
    // Texts for people are in no reply: they would hold names.
    module.setBestPracticeWarningLevel(BestPracticeWarningLevel.Ignore);
    var validator = context.newValidator().registerValidatorModule(module);
    List<Path> files;
    try (var all = Files.list(Path.of(args[0]))) {
      files = all.filter(file -> file.toString().endsWith(".json")).sorted().toList();
    }
    int errors = 0;
    int warnings = 0;
    for (Path file : files) {
      for (SingleValidationMessage message : validator.validateWithResult(Files.readString(file)).getMessages()) {
        ResultSeverityEnum severity = message.getSeverity();
        boolean isError = severity.compareTo(ResultSeverityEnum.ERROR) >= 0;
        if (!isError && severity != ResultSeverityEnum.WARNING) continue;
        if (isError) errors++;
        else warnings++;
        System.out.printf("%s: %s: %s: %s%n", severity, file.getFileName(), message.getLocationString(), message.getMessage());
      }
    }
    System.out.printf("{\"files\":%d,\"errors\":%d,\"warnings\":%d}%n", files.size(), errors, warnings);
    System.exit(errors > 0 || files.isEmpty() ? 1 : 0);
  }
}
