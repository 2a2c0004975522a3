import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import pindrill.Drill;
import pindrill.PinDrill;

/** The same with an app that pins nothing: this test fails, and says why. */
class NaiveTest {
    @RegisterExtension
    static final PinDrill pindrill = PinDrill.serving(System.getenv("STORY"));

    @Test
    void theAppKeepsToItsPins() throws Exception {
        List<String> pins = List.of();
        Drill drill = pindrill.drill("attacker-installed-root", "leaf-and-backup");
        drill.play(attempt -> App.ask(attempt, pins));
        drill.expect("pass");
    }
}
