import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import pindrill.Drill;
import pindrill.PinDrill;

/** An app that pins, under JUnit 5. */
class PinnedTest {
    @RegisterExtension
    static final PinDrill pindrill = PinDrill.serving(System.getenv("STORY"));

    @Test
    void theAppKeepsToItsPins() throws Exception {
        List<String> pins = pindrill.pins("leaf-and-backup");
        Drill drill = pindrill.drill("attacker-installed-root", "leaf-and-backup");
        drill.play(attempt -> App.ask(attempt, pins));
        drill.expect("pass");
    }
}
